"""What the service reports about itself: the request log, service events and Prometheus metrics."""
