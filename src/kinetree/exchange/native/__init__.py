"""Machine code of an image for any platform: object files, static libraries, shared libraries."""
