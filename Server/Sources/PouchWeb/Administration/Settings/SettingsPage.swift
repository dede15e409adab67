import Foundation
import Hummingbird
import PouchDomain
import PouchEntities

extension PageRoutes {
    /// The settings with which the server runs, to look at.
    func addSettingsPage() {
        admin("/admin/settings", .readCatalog) { SettingsPage(desk: $0).content() }
    }
}

/// Makes the page of the settings.
struct SettingsPage {
    let desk: Desk

    private var shop: ShopSettings { desk.site.shop }

    func content() -> PageContent {
        PageContent(
            "admin-settings", title: "Settings",
            [
                "sourceText": "This page shows the settings with which the server runs. They are changed in its file, "
                    + "so that a mistake is found before the next order.",
                "facts": facts.map { ["label": $0, "value": $1] as PageValues },
                "taxText": taxText, "hasTaxes": !shop.taxes.regions.isEmpty, "taxes": shop.taxes.regions.map(tax),
                "rates": shop.shipping.flatMap(rates), "countriesText": countries,
                "commands": """
                pouch-server settings shop.yaml
                pouch-server doctor --shop shop.yaml
                pouch-server serve --shop shop.yaml
                """,
            ])
    }

    // MARK: The shop

    private var facts: [(label: String, value: String)] {
        let verified = (shop.verifiedEmail ?? []).map { use in
            switch use {
            case .checkout: "for checkout"
            case .rides: "for rides"
            }
        }
        return [
            ("Currency", shop.currency.code), ("Country", Self.country(shop.country)),
            ("Time zone", shop.timeZone.identifier), ("Cart after sign-in", cartMerge),
            ("Stock is held", desk.count(shop.holdMinutes, "minute", "minutes")),
            ("Second factor", shop.staffNeedsSecondFactor ? "every member of the staff" : "who wants one"),
            ("Verified address", verified.isEmpty ? "not needed" : verified.joined(separator: ", ")),
            ("Couriers start at", desk.site.environment.courier == nil ? "no couriers" : shop.place?.name ?? ""),
        ]
    }

    private var cartMerge: String {
        switch shop.cartMerge {
        case .sum: "adds up both"
        case .max: "the larger quantity of each product"
        case .guestWins: "the quantities from before the sign-in"
        case .accountWins: "the quantities of the account"
        }
    }

    // MARK: Taxes

    private var taxText: String {
        let rounding =
            switch shop.taxes.rounding {
            case .perLine: "rounded by line"
            case .perOrder: "rounded once for the order"
            }
        return (shop.taxes.pricesIncludeTax ? "Prices include the tax, " : "The tax is added to prices, ") + rounding
    }

    private func tax(_ region: TaxRegion) -> PageValues {
        let others = region.categoryRates.sorted { $0.key < $1.key }
            .map { "\($0.key) \(Desk.percent(basisPoints: $0.value))" }
        let shipping =
            switch region.shipping {
            case .untaxed: "no tax"
            case .rate(let rate): Desk.percent(basisPoints: rate)
            case .asItems: "as the goods"
            }
        return [
            "territory": Self.text(region.territory), "rateText": Desk.percent(basisPoints: region.standardRate),
            "categoriesText": others.joined(separator: ", "), "shippingText": shipping,
        ]
    }

    // MARK: Delivery

    private func rates(of tariff: ShippingTariff) -> [PageValues] {
        tariff.regions.flatMap { region in
            region.rates.map { rate -> PageValues in
                [
                    "method": tariff.name, "id": tariff.id, "estimate": tariff.estimate,
                    "territories": region.territories.map(Self.text).joined(separator: ", "),
                    "weightText": rate.upToGrams.map { "up to \(weight($0))" } ?? "any",
                    "priceText": desk.price(rate.price), "freeFromText": region.freeFrom.map(desk.price) ?? "",
                ]
            }
        }
    }

    /// Such as “5 kg” or “750 g”.
    private func weight(_ grams: Int) -> String {
        grams.isMultiple(of: 1_000) && grams > 0 ? "\(grams / 1_000) kg" : "\(grams) g"
    }

    private var countries: String {
        let territories = shop.shipping.flatMap(\.regions).flatMap(\.territories)
        guard !territories.contains(where: { $0.country == nil }) else { return "all." }
        let names = Set(territories.compactMap(\.country)).map(Self.country).sorted()
        return names.isEmpty ? "none." : names.joined(separator: ", ") + "."
    }

    private static func text(_ territory: Territory) -> String {
        let place = territory.country.map(country) ?? "Everywhere"
        let parts = [territory.region, territory.postalCodePrefix.map { "\($0)…" }].compactMap(\.self)
        return parts.isEmpty ? place : "\(place) (\(parts.joined(separator: ", ")))"
    }

    private static func country(_ code: String) -> String { Country.name(of: code) ?? code }
}
