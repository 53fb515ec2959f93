"""Calendars, time zones and duty rotas."""
