# frozen_string_literal: true

require_relative 'player'

# Makes trump with three of them, never alone; leads trump as the maker's side, else its best card.
class Euchre < Player
  NAMES = %i[
    EUCHRE_CALL_NAME_CLUBS EUCHRE_CALL_NAME_DIAMONDS EUCHRE_CALL_NAME_HEARTS EUCHRE_CALL_NAME_SPADES
  ].freeze
  ENOUGH = 3
  JACK = 9
  LEFT_BOWER = 13
  RIGHT_BOWER = 14

  def initialize(view)
    super
    @trump = SUITS.index(view.trump)
  end

  def choice
    case @view.phase
    when :EUCHRE_PHASE_BIDDING then @view.legal_calls.index(call)
    when :EUCHRE_PHASE_DISCARDING then @legal.index(cheapest(@legal))
    when :EUCHRE_PHASE_PLAYING then super
    else raise NotKnown, 'what is due'
    end
  end

  private

  # The first call offered is to pass, unless the dealer must name a suit.
  def call
    # Protobuf gives a value it has no name for as its number.
    raise NotKnown, 'a call that is offered' if @view.legal_calls.any?(Integer)

    wanted = @view.calls.size < 4 ? order_up : name
    @view.legal_calls.include?(wanted) ? wanted : @view.legal_calls.first
  end

  def order_up
    upcard = CARDS[@view.upcard]
    held = trumps_if(upcard.suit) + (@view.dealer == @view.seat ? 1 : 0)
    :EUCHRE_CALL_ORDER_UP if held >= ENOUGH
  end

  def name
    offered = NAMES & @view.legal_calls.to_a
    best = offered.max_by { |call| trumps_if(NAMES.index(call)) }
    best if trumps_if(NAMES.index(best)) >= ENOUGH || !@view.legal_calls.include?(:EUCHRE_CALL_PASS)
  end

  def trumps_if(trump)
    CARDS.values_at(*@view.hand).count { |card| suit(card, trump) == trump }
  end

  def lead
    trumps, others = @legal.partition { |card| trump?(card) }
    wanted = we_made_trump? ? trumps : others
    (wanted.empty? ? @legal : wanted).max_by { |card| strength(card) }
  end

  def we_made_trump?
    SEATS.index(@view.maker) % 2 == seat % 2
  end

  def sits_out = SEATS.index(@view.sits_out)

  # The left bower is a trump.
  def suit(card, trump = @trump)
    left_bower?(card, trump) ? trump : card.suit
  end

  def strength(card)
    return LEFT_BOWER if left_bower?(card, trump)

    card.rank == JACK && card.suit == trump ? RIGHT_BOWER : card.rank
  end

  def left_bower?(card, trump)
    card.rank == JACK && !trump.nil? && card.same_colour?(trump)
  end
end
