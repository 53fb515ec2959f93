"""The wire format of the service: request and response models, error codes and JSON encoding."""
