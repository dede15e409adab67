import PouchDomain

extension ShopSettings {
    /// The standard settings as a file, with what else can stand in it.
    public static let commentedYAML = """
        # The settings of a shop. Name this file with --shop, or in POUCH_SHOP.
        # What is left out is as it stands here; only the currency must be named. Where no space follows the #, the lines are
        # examples: they hold once that # is removed.

        # A code of ISO 4217. All amounts in this file are in it, in major units, as in 4.90. It must be the currency that
        # the database began with.
        currency: EUR

        # The country (ISO 3166-1, two letters) whose taxes and shipping prices are shown until an address is known.
        country: DE

        # Where the shop is. Kangaroos bring orders from there to addresses that say where they are, within 20 km; they live
        # in Sydney.
        place:
          name: The shop in Surry Hills
          latitude: -33.8861
          longitude: 151.2111

        # The time zone in which the merchant's days begin, and in which dates of a feed are that name no offset: a name
        # of the IANA database, as in Europe/Berlin, or GMT.
        timeZone: GMT

        taxes:
          # true: prices, those of shipping too, contain the tax. false: it is added.
          pricesIncludeTax: true
          # perLine: the tax of each line is rounded. perOrder: the tax of each rate is rounded once for the whole order.
          rounding: perLine
          # Of the regions that an address is in, the one with the longest postalCodePrefix counts, then one that names a
          # region (a state or province), then one for the country. In none, there is no tax.
          regions: []
          #regions:
          #  - country: DE
          #    rate: 19                 # per cent
          #    categories:              # other rates, by the id of the category
          #      books: 7
          #    shipping: asItems        # or untaxed, or a rate; asItems splits it over the rates of what is sent
          #  - country: US
          #    region: CA
          #    postalCodePrefix: "902"
          #    rate: 9.5
          #    shipping: untaxed

        # The ways of delivery, in the order in which they are offered.
        shipping:
          - id: standard
            name: Standard
            estimate: 3 to 5 working days
            regions:
              # Without countries, a region is everywhere. The narrowest that an address is in counts; in none, this way is
              # not offered there.
              - rates:
                  - price: 4.90
              #- countries: [DE, AT]
              #  postalCodePrefixes: ["25"]
              #  freeFrom: 50.00        # what the goods come to, less their discount
              #  rates:
              #    - upToGrams: 2000    # all units together
              #      price: 3.90
              #    - price: 6.90        # any other weight; without such a rate, heavier orders are not sent this way
          - id: express
            name: Express
            estimate: next working day
            regions:
              - rates:
                  - price: 9.90

        # What becomes of a line that is in the guest's and in the account's cart when the guest signs in: sum, max,
        # guestWins or accountWins. Lines that only one of them has are kept.
        cartMerge: sum

        # For how long a checkout holds its stock, 1 to 1440.
        holdMinutes: 10

        """
}
