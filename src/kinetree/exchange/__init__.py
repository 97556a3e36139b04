"""Models for other programs: FMU, C libraries, pages that compute, robot files."""
