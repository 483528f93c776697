"""A bot that plays outside the grid."""

from ugi_bot import serve

serve(lambda _turn: "99,99")
