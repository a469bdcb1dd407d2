"""Who is stronger, by how much, and how sure is that: players against each other, in blocks of games."""
