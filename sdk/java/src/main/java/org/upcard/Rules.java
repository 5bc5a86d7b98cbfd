package org.upcard;

/**
 * The rules at the table; what only euchre has is false in whist.
 *
 * @param game which game it is
 * @param target how many points win the match
 * @param alone whether the maker may play without her partner
 * @param stickDealer whether the dealer must name a suit when all others passed twice
 * @param partnerMustGoAlone whether the dealer's partner may order up only alone
 */
public record Rules(
    Game game, int target, boolean alone, boolean stickDealer, boolean partnerMustGoAlone) {}
