/* judge_tree.h - the folder tree that paths.jsonl speaks of, made anew for each row. */
#ifndef TR_TESTS_CONTRACT_JUDGE_TREE_H
#define TR_TESTS_CONTRACT_JUDGE_TREE_H

#include <stdbool.h>

#include <jansson.h>

enum { JUDGE_TREE_PATH_BYTES = 64 };

struct judge_tree {
    char folder[JUDGE_TREE_PATH_BYTES]; /* the corpus' {T}; absolute */
    int fd;                             /* of the folder */
    json_t *description;                /* paths_fixture.json */
};

/* Make the tree in a new temporary folder. False when that is not possible here. */
bool judge_tree_make(struct judge_tree *ret_tree);

/* Remove it with everything in it. */
void judge_tree_remove(struct judge_tree *tree);

/* Is everything outside of {T}/root still as it was made, and nothing new there? */
bool judge_tree_is_whole(const struct judge_tree *tree);

#endif
