"""The server for playing in a browser, which referees and stores games; imported only by `gridlock serve`."""
