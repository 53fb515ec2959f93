"""The laws: properties that every environment has, measured by one suite and published in one certificate per environment."""

from rlgym.laws.certify import LAWS as LAWS
from rlgym.laws.certify import Certificate as Certificate
from rlgym.laws.certify import certify as certify
from rlgym.laws.certify import check as check
from rlgym.laws.effort import Effort as Effort
from rlgym.laws.finding import Finding as Finding
from rlgym.laws.freeze import freeze as freeze
from rlgym.laws.subject import Subject as Subject
