"""Environments for whoever trains agents: one module for each framework, and nothing loaded that is not used.

What all of them share is written down in `planes.py`: what an agent sees, and which number stands for which move.
"""
