"""Subcommands, one a module, each with `add_parser(subparsers)` and `main(args) -> int`."""
