"""Who may use the service and how much of it: API keys and quotas."""
