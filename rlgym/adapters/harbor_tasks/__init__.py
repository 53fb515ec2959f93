"""Harbor task folders of other programs as environments: a shell in the sandbox, and the folder's own tests.

`python -m rlgym.adapters.harbor_tasks FOLDER` checks folders and writes plug-in packages of them.
"""

from rlgym.adapters.harbor_tasks.game import Bash as Bash
from rlgym.adapters.harbor_tasks.game import State as State
from rlgym.adapters.harbor_tasks.game import Submit as Submit
from rlgym.adapters.harbor_tasks.game import harbor_game as harbor_game
from rlgym.adapters.harbor_tasks.game import read_rewards as read_rewards
from rlgym.adapters.harbor_tasks.game import run_tests as run_tests
from rlgym.adapters.harbor_tasks.package import Checked as Checked
from rlgym.adapters.harbor_tasks.package import check_folder as check_folder
from rlgym.adapters.harbor_tasks.package import write_package as write_package
