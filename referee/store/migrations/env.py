"""What alembic runs to upgrade a store: on our connection, in the transaction it is in.

To write the next step, see `docs/store.md`.
"""

from alembic import context

from referee.store.migrating import VERSION_TABLE
from referee.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()
