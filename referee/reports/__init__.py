"""What programs are told of a league: the same on the command line and on the web."""
