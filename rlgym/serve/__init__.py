"""The environments as an HTTP and WebSocket service, its Python client, and the playground page.

Rooms, lowest first:

settings.py  what one worker process is configured with
protocol/    the wire format: requests, responses, errors, JSON encoding
access/      API keys and their quotas
telemetry/   request log, service events, Prometheus metrics
sessions/    episodes that clients play: the operations, the session store, tasks, scoring, the catalogue
runs/        evaluation and training runs on disk, read for display
api/         the ASGI application: routes, middleware, the WebSocket
workers/     the supervisor, its worker processes, and what they share
client/      the Python client; it imports none of the rooms above
page/        the playground page: JavaScript, styles and HTML, served as they are
"""
