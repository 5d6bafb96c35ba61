//! Positions as objects.
