"""`python -m kinetree`: the commands."""

from .cli.main import main

if __name__ == "__main__":
    main()
