"""`python -m gridlock` is the same as `gridlock`."""

from gridlock.entry import main

main()
