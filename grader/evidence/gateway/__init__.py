"""The scripted gateway: plays a reply step by step, keeps every request."""

from . import wire
from .server import Exchange, Gateway, Request

__all__ = ["Exchange", "Gateway", "Request", "wire"]
