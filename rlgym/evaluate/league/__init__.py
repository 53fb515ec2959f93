"""Leagues: matches between policies, engines and models, all against all, and ratings from their results."""
