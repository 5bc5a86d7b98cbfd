# frozen_string_literal: true

require_relative 'card'

# The referee says what no page here tells of.
class NotKnown < StandardError; end

# What both games have in common: a trick is won as cheaply as it can be, and never from the
# partner. A game says which suit is trump, and which card it leads.
class Player
  def initialize(view)
    @view = view
    @legal = CARDS.values_at(*view.legal_cards)
  end

  # The place of what to do in the list of what may be done.
  def choice
    @legal.index(trick.empty? ? lead : follow)
  end

  private

  attr_reader :trump

  def follow
    return cheapest(@legal) if winning_seat == (seat + 2) % 4

    cheapest(@legal.select { |card| beats?(card, winning_card) }) || cheapest(@legal)
  end

  def cheapest(cards)
    cards.min_by { |card| [trump?(card) ? 1 : 0, strength(card)] }
  end

  # The cards of the trick in progress.
  def trick
    @trick ||= CARDS.values_at(*@view.played.last(@view.played.size % trick_size))
  end

  def winning_card
    @winning_card ||= trick.reduce { |best, card| beats?(card, best) ? card : best }
  end

  def winning_seat
    leader = SEATS.index(@view.leaders.last)
    order = 4.times.map { |turn| (leader + turn) % 4 } - [sits_out]
    order[trick.index(winning_card)]
  end

  # Whether a card takes the trick over from one that is winning it.
  def beats?(card, other)
    return strength(card) > strength(other) if suit(card) == suit(other)

    trump?(card)
  end

  def trump?(card)
    suit(card) == trump
  end

  def seat
    SEATS.index(@view.seat)
  end

  def trick_size
    sits_out ? 3 : 4
  end

  # What follows is otherwise in euchre.

  def sits_out = nil

  def suit(card) = card.suit

  def strength(card) = card.rank
end
