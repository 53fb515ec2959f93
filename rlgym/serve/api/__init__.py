"""The ASGI application of one worker: routes, middleware, error handlers and the WebSocket."""
