import Foundation
import PouchDomain
import PouchEntities
import PouchTemplates

struct SettingsValues: PageModel {
    struct Tax: TemplateValues {
        let territory, rateText, categoriesText, shippingText: String
    }

    /// A price of a delivery method.
    struct Rate: TemplateValues {
        let method, id, estimate, territories, weightText, priceText, freeFromText: String
    }

    let sourceText: String
    let facts: [FactValues]
    let taxText: String
    let taxes: [Tax]
    let rates: [Rate]
    let countriesText, commands: String
}

/// A row in a list of facts.
struct FactValues: TemplateValues {
    let label, value: String
}

/// The page of the server's settings, which are read-only.
struct SettingsPage {
    let admin: AdminVisit

    private var shop: ShopSettings { admin.site.shop }

    func content() -> PageContent {
        let values = SettingsValues(
            sourceText: "These settings are read-only here. Change them in the settings file, check the file, "
                + "and restart the server.",
            facts: facts.map { FactValues(label: $0, value: $1) }, taxText: taxText, taxes: shop.taxes.regions.map(tax),
            rates: shop.shipping.flatMap(rates), countriesText: countries,
            commands: """
                pouch-server settings shop.yaml
                pouch-server doctor --shop shop.yaml
                pouch-server serve --shop shop.yaml
                """)
        return PageContent(values, title: "Settings")
    }

    // MARK: The shop

    private var facts: [(label: String, value: String)] {
        let verified = (shop.verifiedEmail ?? []).map { use in
            switch use {
            case .checkout: "checkout"
            case .rides: "rides"
            }
        }
        return [
            ("Currency", shop.currency.code), ("Country", Self.country(shop.country)),
            ("Time zone", shop.timeZone.identifier), ("Cart after sign-in", cartMerge),
            ("Stock reservation", admin.count(shop.holdMinutes, "minute", "minutes")),
            ("Two-factor authentication", shop.staffNeedsSecondFactor ? "Required for all staff" : "Optional"),
            (
                "Verified e-mail address",
                verified.isEmpty ? "Not required" : "Required for " + verified.joined(separator: " and ")
            ),
            (
                "Orders of deleted accounts",
                "anonymous \(admin.count(shop.orderBuyerDays, "day", "days")) after shipping"
            ),
            ("Couriers start at", admin.site.environment.courier == nil ? "No couriers" : shop.place?.name ?? ""),
        ]
    }

    private var cartMerge: String {
        switch shop.cartMerge {
        case .sum: "quantities are added"
        case .max: "the larger quantity of each product is kept"
        case .guestWins: "the quantities of the guest's cart are kept"
        case .accountWins: "the quantities of the account's cart are kept"
        }
    }

    // MARK: Taxes

    private var taxText: String {
        let rounding =
            switch shop.taxes.rounding {
            case .perLine: "rounded per line"
            case .perOrder: "rounded once per order"
            }
        return (shop.taxes.pricesIncludeTax ? "Prices include tax, " : "Tax is added to prices, ") + rounding
    }

    private func tax(_ region: TaxRegion) -> SettingsValues.Tax {
        let others = region.categoryRates.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value.percent) %" }
        let shipping =
            switch region.shipping {
            case .untaxed: "no tax"
            case .rate(let rate): rate.percent + " %"
            case .asItems: "same as the products"
            }
        return SettingsValues.Tax(
            territory: Self.text(region.territory), rateText: region.standardRate.percent + " %",
            categoriesText: others.joined(separator: ", "), shippingText: shipping)
    }

    // MARK: Delivery

    private func rates(of tariff: ShippingTariff) -> [SettingsValues.Rate] {
        tariff.regions.flatMap { region in
            region.rates.map { rate -> SettingsValues.Rate in
                .init(
                    method: tariff.name, id: tariff.id, estimate: tariff.estimate,
                    territories: region.territories.map(Self.text).joined(separator: ", "),
                    weightText: rate.upToGrams.map { "up to \(weight($0))" } ?? "any",
                    priceText: admin.price(rate.price), freeFromText: region.freeFrom.map(admin.price) ?? "")
            }
        }
    }

    /// A weight, such as “5 kg” or “750 g”.
    private func weight(_ grams: Int) -> String {
        grams.isMultiple(of: 1_000) && grams > 0 ? "\(grams / 1_000) kg" : "\(grams) g"
    }

    private var countries: String {
        let territories = shop.shipping.flatMap(\.regions).flatMap(\.territories)
        guard !territories.contains(where: { $0.country == nil }) else { return "all countries." }
        let names = Set(territories.compactMap(\.country)).map(Self.country).sorted()
        return names.isEmpty ? "no countries." : names.joined(separator: ", ") + "."
    }

    private static func text(_ territory: Territory) -> String {
        let place = territory.country.map(country) ?? "Everywhere"
        let parts = [territory.region, territory.postalCodePrefix.map { "\($0)…" }].compactMap(\.self)
        return parts.isEmpty ? place : "\(place) (\(parts.joined(separator: ", ")))"
    }

    private static func country(_ code: String) -> String { Country.name(of: code) ?? code }
}
