"""A generated web site: linked pages, a text browser, and questions that its pages answer."""
