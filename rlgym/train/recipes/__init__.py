"""Published training recipes, one YAML file each: stages of ordinary training configurations, chained by their checkpoints."""
