"""WHAT HAPPENED: frozen values, nothing else. Import from the module that defines a thing."""
