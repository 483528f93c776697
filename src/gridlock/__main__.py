"""`python -m gridlock` is the same as `gridlock`."""

from gridlock.cli.entry import main

main()
