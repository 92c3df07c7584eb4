"""The pages for people, which work without JavaScript. They call the functions of :mod:`citeproof.web.api`."""
