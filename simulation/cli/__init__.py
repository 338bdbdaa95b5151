"""Subcommands of `python -m simulation`, one module each: `add_parser(subparsers)` and `main(args) -> exit code`."""
