"""Reports: `summary.json`, the self-contained HTML pages of a run and of a comparison, and their charts."""
