"""Pictures of tasks as SVG."""
