"""The games in the browser: a server that judges, stores and speaks; imported only by `gridlock serve`."""
