"""`python -m mailgm`."""

import sys

from mailgm.cli import main

sys.exit(main())
