"""The server that referees and stores games played in a browser; imported only by the commands that need it."""
