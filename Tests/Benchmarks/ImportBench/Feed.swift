/// Made-up catalogues as Shopify would export them, ten variants to a product.
enum Feed {
    /// What there is to buy before an import.
    static let firstSKUs = 1_000

    static func csv(prefix: String, variants: Int) -> String {
        var text =
            "Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Grams,"
            + "Variant Inventory Qty,Variant Price,Image Src,Image Position\n"
        for number in 0..<variants {
            let (product, variant) = number.quotientAndRemainder(dividingBy: 10)
            let head =
                variant == 0
                ? "Cardigan No. \(product),A cardigan of soft wool in pattern \(product % 17).,Cardigans,"
                    + "\"wool, knit\",Size"
                : ",,,,"
            let image = variant == 0 ? "https://example.com/\(prefix)-\(product).jpg,1" : ","
            text += "\(prefix)-\(product),\(head),S\(variant),\(prefix)-\(number),300,1000000,25.90,\(image)\n"
        }
        return text
    }
}
