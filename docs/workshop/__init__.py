"""What makes the pages: it runs their code, writes the reference and the gallery, and keeps their
pictures up to date.
"""
