"""Many papers at once: each distinct reference is checked once, and a run that was stopped goes on where it was.

The stages, in their order: :mod:`papers` lists what is to be read, :mod:`reading` reads it in other processes,
:mod:`distinct` says which references are one, :mod:`checking` checks them in other processes, and :mod:`gathering`
writes tables, signals and overview. :mod:`run` walks through them; what is done stands in :mod:`store`.
"""
