import Foundation
import PouchEntities
import PouchJSON

/// A discount code.
///
/// A valid code without an effect (no eligible line in the cart, or less than the minimum) stays on the cart with a
/// discount of 0, so that it applies as soon as the cart qualifies.
public struct Discount: Sendable, Equatable {
    public enum Rule: Sendable, Equatable {
        /// A percentage of the sum of the eligible lines, 1...10000, where 1000 is 10 %, rounded once, halves up.
        case percentage(basisPoints: Int)
        /// An amount off the sum of the eligible lines, at most that sum.
        case amount(Money)
        /// Free units. Eligible units are sorted by price, highest first; of each full group of `buy + get`, the `get`
        /// cheapest are free. Both are 1 or more.
        case buyXGetY(buy: Int, get: Int)
        /// The whole price of shipping.
        case freeShipping
    }

    public let id: String
    /// The normalized code.
    public let code: String
    public let rule: Rule
    /// Valid from this time.
    public let startsAt: Date?
    /// Valid until immediately before this time.
    public let endsAt: Date?
    /// The minimum sum of the eligible lines, before any discount.
    public let minimum: Money?
    /// Handles of products and ids of categories; a line of either is eligible. If both are nil, every line is.
    public let products: [String]?
    public let categories: [String]?
    /// The maximum number of uses in total; nil for no limit.
    public let limit: Int?
    /// The maximum number of uses by one account, or by guests with one e-mail address; nil for no limit.
    public let limitPerAccount: Int?

    public init(
        id: String, code: String, rule: Rule, startsAt: Date? = nil, endsAt: Date? = nil, minimum: Money? = nil,
        products: [String]? = nil, categories: [String]? = nil, limit: Int? = nil, limitPerAccount: Int? = nil
    ) {
        self.id = id
        self.code = code
        self.rule = rule
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.minimum = minimum
        self.products = products
        self.categories = categories
        self.limit = limit
        self.limitPerAccount = limitPerAccount
    }

    /// The form in which codes are compared: trimmed, in capitals; nil if it is not 3...40 of A-Z 0-9 - _ and full
    /// stop.
    public static func normalised(code: String) -> String? {
        let code = code.trimmingCharacters(in: .whitespaces)
        guard ModelLimits.discountCodeLength.contains(code.utf8.count),
            code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else { return nil }
        return code.uppercased()
    }

    /// Checks that the code can be used now.
    ///
    /// - Parameters:
    ///   - used: the number of uses in total.
    ///   - usedByAccount: the number of uses by the buyer.
    /// - Throws: `DomainError.discountInvalid` before the start, `.discountExpired`, `.discountExhausted`.
    public func check(at now: Date, used: Int, usedByAccount: Int) throws(DomainError) {
        if let startsAt, now < startsAt { throw .discountInvalid }
        if let endsAt, now >= endsAt { throw .discountExpired }
        if let limit, used >= limit { throw .discountExhausted }
        if let limitPerAccount, usedByAccount >= limitPerAccount { throw .discountExhausted }
    }
}

extension Discount.Rule: JSONCodable {
    private struct Percentage: JSONModel {
        let basisPoints: Int
        static let json = JSONObject(Percentage.init, .field("basisPoints", \.basisPoints))
    }

    private struct Group: JSONModel {
        let buy: Int
        let get: Int
        static let json = JSONObject(Group.init, .field("buy", \.buy), .field("get", \.get))
    }

    public init(reading json: inout JSONReader) throws(JSONError) {
        self = try json.choice { (json, name) throws(JSONError) in
            switch name {
            case "percentage": return .percentage(basisPoints: try Percentage(reading: &json).basisPoints)
            case "amount": return .amount(try json.associatedValue())
            case "buyXGetY":
                let group = try Group(reading: &json)
                return .buyXGetY(buy: group.buy, get: group.get)
            case "freeShipping": return .freeShipping
            default: return nil
            }
        }
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .percentage(let points): json.choice("percentage", fields: Percentage(basisPoints: points))
        case .amount(let amount): json.choice("amount", amount)
        case .buyXGetY(let buy, let get): json.choice("buyXGetY", fields: Group(buy: buy, get: get))
        case .freeShipping: json.choice("freeShipping")
        }
    }

    public static var jsonShape: JSONShape { .any }
}

/// A stored discount with its number of uses.
public struct DiscountRecord: Sendable, Equatable {
    public let discount: Discount
    public let used: Int
    /// The number of uses by the owner for whom it was read.
    public var usedByOwner = 0

    public init(discount: Discount, used: Int) {
        self.discount = discount
        self.used = used
    }

    public var managed: ManagedDiscount {
        ManagedDiscount(id: discount.id, terms: DiscountTerms(discount), used: used)
    }
}

/// Discounts and their uses. Uses are counted in single conditional statements, so that only one of two concurrent
/// buyers gets the last use.
public protocol DiscountRepository {
    /// The discounts, latest first, after the one with the id.
    func discounts(after id: String?, limit: Int) throws -> [DiscountRecord]
    func record(id: String) throws -> DiscountRecord?
    /// - Parameter code: the normalized code.
    func usage(code: String, ownerId: String) throws -> DiscountRecord?

    /// - Returns: false, without writing, when another discount has the code.
    func insert(_ discount: Discount, at: Date) throws -> Bool
    /// Writes everything except the uses; returns false if it was deleted, or has more uses than its new limit allows.
    func update(_ discount: Discount) throws -> Bool
    /// Deletes the discount and its uses; returns false if there is none.
    func delete(id: String) throws -> Bool

    /// Counts one use.
    ///
    /// - Returns: false, without counting, when it is used up or deleted.
    func claim(id: String) throws -> Bool
    /// Counts one use by an account or guest, or for an e-mail address, even without a limit, since one may be set later.
    ///
    /// - Returns: false, without counting, when the owner has reached the limit.
    func claim(id: String, ownerId: String, limit: Int?) throws -> Bool
    /// Removes one use, in total and by each of the owners.
    func giveBack(id: String, owners: [String]) throws
    /// Moves the uses of one owner to another, who may then exceed the limit.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Deletes the owner's uses; the total still includes them.
    func delete(ownerId: String) throws
}

extension Repositories {
    /// The discount that the owner can use under the code.
    ///
    /// - Throws: `DomainError.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    func discount(code: String, ownerId: String, at now: Date) throws -> Discount {
        guard let code = Discount.normalised(code: code),
            let usage = try discounts.usage(code: code, ownerId: ownerId)
        else { throw DomainError.discountInvalid }
        try usage.discount.check(at: now, used: usage.used, usedByAccount: usage.usedByOwner)
        return usage.discount
    }

    /// The discount of a cart, or the reason why its code can no longer be used; neither without a code.
    func discount(of cart: CartRecord, at now: Date) throws -> (discount: Discount?, refusal: DomainError?) {
        guard let code = cart.discountCode else { return (nil, nil) }
        do {
            return (try discount(code: code, ownerId: cart.ownerId, at: now), nil)
        } catch let refusal as DomainError {
            return (nil, refusal)
        }
    }

    /// Removes the use of an order that failed or was cancelled.
    func giveBackDiscount(of record: OrderRecord, by digests: any Digests) throws {
        guard let discount = record.discount else { return }
        let email = discount.isByEmail == true ? record.order.email : nil
        let owners = [record.ownerId, email.map { Discount.owner(email: $0, by: digests) }]
        try discounts.giveBack(id: discount.id, owners: owners.compactMap(\.self))
    }

    /// Counts a use by the owner and for the e-mail address of the order, since a buyer could otherwise start again in
    /// another browser, or with another account.
    ///
    /// - Parameter email: the normalized address.
    /// - Throws: `DomainError.discountExhausted`.
    func claim(_ discount: Discount, ownerId: String, email: String, by digests: any Digests) throws {
        guard try discounts.claim(id: discount.id) else { throw DomainError.discountExhausted }
        for owner in [ownerId, Discount.owner(email: email, by: digests)] {
            guard try discounts.claim(id: discount.id, ownerId: owner, limit: discount.limitPerAccount) else {
                throw DomainError.discountExhausted
            }
        }
    }
}

extension Discount {
    /// The owner under whom uses for an e-mail address are counted. It is a hash, because the count outlives the
    /// account: a buyer who deletes the account gets no further use.
    public static func owner(email: String, by digests: any Digests) -> String {
        "email " + digests.sha256(Data(email.utf8)).base64EncodedString()
    }
}

/// The amounts by which a discount reduces an order.
struct DiscountAmounts {
    /// The amount for each line, in order; at most the line's total.
    let lines: [Money]
    var isShippingFree = false
}

extension Discount {
    /// The amounts without a discount.
    static func nothing(off lines: [PricedLine], currency: Currency) -> DiscountAmounts {
        DiscountAmounts(lines: lines.map { _ in .zero(currency) })
    }

    /// - Throws: `MoneyError`, also when the discount has another currency than the lines.
    func amounts(off lines: [PricedLine], currency: Currency) throws(MoneyError) -> DiscountAmounts {
        let nothing = Self.nothing(off: lines, currency: currency)
        let eligible = eligibleLines(lines)
        let weights = zip(lines, eligible).map { $1 ? $0.total.amount : 0 }
        let sum = try Money.sum(zip(lines, eligible).lazy.filter(\.1).map(\.0.total), in: currency)
        if let minimum, try sum.subtracting(minimum).amount < 0 { return nothing }
        switch rule {
        case .freeShipping:
            return DiscountAmounts(lines: nothing.lines, isShippingFree: eligible.contains(true))
        case .buyXGetY(let buy, let get):
            return DiscountAmounts(lines: try freeUnits(of: lines, eligible: eligible, buy: buy, get: get))
        case .percentage(let basisPoints):
            guard sum.amount > 0 else { return nothing }
            let off = try sum.share(Int64(basisPoints), of: 10_000)
            return DiscountAmounts(lines: off.allocated(by: weights))
        case .amount(let amount):
            guard sum.amount > 0 else { return nothing }
            let off = try sum.subtracting(amount).amount < 0 ? sum : amount
            return DiscountAmounts(lines: off.allocated(by: weights))
        }
    }

    private func eligibleLines(_ lines: [PricedLine]) -> [Bool] {
        guard products != nil || categories != nil else { return lines.map { _ in true } }
        let (products, categories) = (Set(products ?? []), Set(categories ?? []))
        return lines.map { products.contains($0.offer.productHandle) || categories.contains($0.offer.categoryId) }
    }

    /// The free units of each line, as amounts. The units form a row, highest price first; how many of a line are free
    /// depends on its start and end in the row, without visiting each unit.
    private func freeUnits(of lines: [PricedLine], eligible: [Bool], buy: Int, get: Int) throws(MoneyError) -> [Money] {
        let row = lines.indices.filter { eligible[$0] }.sorted {
            let (left, right) = (lines[$0].offer.price.amount, lines[$1].offer.price.amount)
            return left == right ? $0 < $1 : left > right
        }
        let group = buy + get
        let grouped = row.reduce(0) { $0 + lines[$1].quantity } / group * group
        func free(before position: Int) -> Int {
            let (groups, rest) = min(position, grouped).quotientAndRemainder(dividingBy: group)
            return groups * get + max(0, rest - buy)
        }
        var amounts = lines.map { Money.zero($0.offer.price.currency) }
        var position = 0
        for index in row {
            let end = position + lines[index].quantity
            amounts[index] = try lines[index].offer.price.multiplied(by: free(before: end) - free(before: position))
            position = end
        }
        return amounts
    }
}
