"""Reduced parts: flexible bodies with a moving frame, markers and a few modal coordinates."""
