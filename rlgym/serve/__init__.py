"""Environments over HTTP and WebSocket, and the playground page."""
