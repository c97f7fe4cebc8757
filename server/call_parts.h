/* call_parts.h - what the parts of a call group share: call_group.c (life, filling, starting),
 * call_slot.c (one slot from its start to its end), call_answer.c (the answer). Nobody else looks
 * inside. */
#ifndef TR_SERVER_CALL_PARTS_H
#define TR_SERVER_CALL_PARTS_H

#include "server/call_group.h"

/* An answer is a result with what is written around it. */
#define TR_CALL_ANSWER_BYTES (TR_CALL_ARENA_BYTES * 2)

/* Give up one reference. */
void tr_call_group_unref(struct tr_call_group *group);

/* Write the answer of a group whose slots have all ended into its exchange. */
void tr_call_group_answer(struct tr_call_group *group);

bool tr_call_slot_is_running(struct tr_call_slot *slot);

/* True for the one who moves the state on: only he may write the outcome and count the slot. */
bool tr_call_slot_leave(struct tr_call_slot *slot, enum tr_slot_state state);

/* Run the slot, on a worker or, when its tool waits without a thread, from here. */
void tr_call_slot_start(struct tr_call_slot *slot);

/* For tr_pending_suspend(): the listener's word that the request of the group `owner` must end. */
void tr_call_group_cancel(void *owner, enum tr_status reason);

#endif
