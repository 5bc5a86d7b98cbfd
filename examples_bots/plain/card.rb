# frozen_string_literal: true

require 'upcard/v1/cards_pb'

# A card: its rank from 0, the two, to 12, the ace; its suit from 0: clubs, diamonds, hearts,
# spades.
Card = Struct.new(:rank, :suit) do
  # The numbers of the protocol begin with 1: 0 is no card.
  def self.numbered(number)
    new((number - 1) % 13, (number - 1) / 13)
  end

  # Hearts and diamonds are of one colour, clubs and spades of the other.
  def same_colour?(other_suit)
    suit + other_suit == 3
  end
end

CARDS = Upcard::V1::Card.constants.to_h do |name|
  [name, Card.numbered(Upcard::V1::Card.const_get(name))]
end.freeze

# Suits by their names in the protocol, in order; there is nothing else in it.
SUITS = %i[SUIT_CLUBS SUIT_DIAMONDS SUIT_HEARTS SUIT_SPADES].freeze
SEATS = %i[SEAT_NORTH SEAT_EAST SEAT_SOUTH SEAT_WEST].freeze
