"""Emulation profiles: the settings of the engine under which it does what another simulator did."""
