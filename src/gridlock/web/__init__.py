"""The server for playing in a browser, which referees and stores games; imported only by the commands that need it."""
