"""`python -m cartagena` is the same as `cartagena`."""

from cartagena.cli.main import main

if __name__ == "__main__":
    main()
