"""Imported once by the process from which workers are forked: everything is loaded and compiled before the first of them."""

from cpsolve.app.web.work import warm_up

warm_up()
