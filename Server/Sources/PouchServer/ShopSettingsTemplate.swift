import PouchDomain

extension ShopSettings {
    /// The standard settings as a file, with comments and examples for everything else.
    public static let commentedYAML = """
        # The settings of a shop. Pass this file with --shop or POUCH_SHOP. Only the currency is required; every other
        # key defaults to the value shown here. Keys that are commented out are examples: remove the # to use them.

        # An ISO 4217 code. All amounts in this file are in this currency, in major units such as 4.90. It cannot differ
        # from the currency of an existing database.
        currency: EUR

        # The country (ISO 3166-1, two letters) whose taxes and shipping prices apply until the address is known.
        country: DE

        # The location of the shop. Kangaroos deliver from here, within Sydney and 20 km, to addresses with a location.
        # A file with a country but no place offers no delivery by kangaroo.
        place:
          name: The shop in Surry Hills
          latitude: -33.8861
          longitude: 151.2111

        # The time zone of the merchant, and of feed dates without an offset: an IANA name such as Europe/Berlin, or
        # GMT.
        timeZone: GMT

        taxes:
          # true: prices include tax, also for shipping. false: tax is added to them. For addresses in no region below,
          # prices that include tax are reduced by the tax of the shop's country; a region with rate 0 keeps them.
          pricesIncludeTax: true
          # perLine: tax is rounded on each line. perOrder: tax is rounded once per rate and order.
          rounding: perLine
          # The most specific region of an address applies: the longest postalCodePrefix, then a region (a state or
          # province, such as CA or California), then the country. Addresses in no region are not taxed. If a country
          # has rates by region, its addresses need a region.
          regions: []
          #regions:
          #  - country: DE
          #    rate: 19                 # percentage, with up to 4 decimal places
          #    categories:              # other rates by category id
          #      books: 7
          #    shipping: asItems        # or untaxed, or a rate; asItems splits it by the items' rates
          #  - country: US
          #    region: CA
          #    postalCodePrefix: "902"
          #    rate: 9.5
          #    shipping: untaxed

        # The shipping methods, in the order in which buyers see them.
        shipping:
          - id: standard
            name: Standard
            estimate: 3 to 5 working days
            regions:
              # The most specific region of an address applies; a region without countries covers the world. Addresses
              # in no region do not get this method.
              - rates:
                  - price: 4.90
              #- countries: [DE, AT]
              #  postalCodePrefixes: ["25"]
              #  freeFrom: 50.00        # value of the goods after the discount
              #  rates:
              #    - upToGrams: 2000    # weight of the whole order
              #      price: 3.90
              #    - price: 6.90        # any other weight; without it, heavier orders do not get this method
          - id: express
            name: Express
            estimate: next working day
            regions:
              - rates:
                  - price: 9.90

        # How quantities merge at sign-in when the guest's and the account's cart both have the item: sum, max,
        # guestWins or accountWins. Other items are kept.
        cartMerge: sum

        # How many minutes a checkout holds its stock, 1 to 1440.
        holdMinutes: 10

        # true: staff need a one-time code besides the password. Staff without one can do nothing but set it up.
        staffNeedsSecondFactor: false

        # The actions for which customers need a verified e-mail address: [checkout, rides], one of them, or none.
        # Guests can still buy.
        verifiedEmail: []

        # How many days the orders of a deleted account keep the buyer's name, e-mail address and address, 0 to 36500.
        # Counted from the last step of an order that no longer has to be sent. The law of your country defines how
        # long you must, and may, keep them.
        keepOrderAddressesDays: 3650

        """
}
